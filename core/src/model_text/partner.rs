//! How a partner reads a result: whole up to a limit, else an error (partner contract).

use super::{ModelResult, Resources, model_result};
use crate::outcome::{CallFailure, CallOutcome};
use crate::{Code, Limits};

/// What a partner reads of an outcome: [`model_result`] with the texts of resources. Where that is more than
/// [`Limits::partner_text_bytes`] UTF-8 bytes, an error result that says first that the call was carried out.
pub fn partner_result(outcome: &CallOutcome, limits: &Limits) -> Result<ModelResult, CallFailure> {
    let result = model_result(outcome, Resources::Shown)?;
    if result.content.len() <= limits.partner_text_bytes {
        return Ok(result);
    }
    Ok(ModelResult {
        is_error: true,
        error_code: Some(Code::PartnerResultSizeLimit),
        content: format!(
            "The call was carried out, but its result cannot be shown: it is {} bytes of text, more than {}. Do not repeat \
             the same call; ask for less, for example with a narrower query, or for a link to download the result.",
            result.content.len(),
            limits.partner_text_bytes
        ),
        ..result
    })
}
