//! Brotli at its highest level, as the host sends the page's files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;

/// The compressed form.
pub(crate) fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut compressed, &parameters)?;
    Ok(compressed)
}

/// Writes the compressed form of a file beside it, as `<name>.br`.
pub(crate) fn beside(file: &Path) -> Result<()> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut name = file.as_os_str().to_owned();
    name.push(".br");
    fs::write(&name, brotli(&bytes)?).with_context(|| format!("cannot write {}", name.display()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test says what it expects by failing")]

    use super::*;

    #[test]
    fn what_is_compressed_can_be_read_back() {
        let text = "the same words, the same words, the same words".repeat(50);
        let compressed = brotli(text.as_bytes()).unwrap();
        let mut read = Vec::new();
        brotli::BrotliDecompress(&mut compressed.as_slice(), &mut read).unwrap();
        assert_eq!(read, text.as_bytes());
        assert!(compressed.len() < text.len() / 10);
    }
}
