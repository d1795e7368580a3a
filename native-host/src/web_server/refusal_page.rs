//! The small page that a person sees in a browser where the page itself cannot be shown: what is missing and what to do,
//! in the language that the browser asks for. It has no script, and one style sheet, allowed by the nonce of its answer.

use axum::http::{HeaderMap, header};

use crate::page::Nonce;

/// What a refusal says to a person. Paragraphs are separated by line feeds; `` ` `` encloses what is typed or read as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    /// The heading, English and Chinese.
    pub(super) title: [&'static str; 2],
    /// English; programs are told this, too.
    pub(super) english: &'static str,
    /// Simplified Chinese.
    pub(super) chinese: &'static str,
}

/// The languages there are words in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    English,
    Chinese,
}

impl Language {
    /// The one that `Accept-Language` prefers (RFC 9110 §12.5.4); English where it names neither.
    pub(super) fn of(request: &HeaderMap) -> Self {
        let mut best = (0.0_f32, Self::English);
        for value in request.get_all(header::ACCEPT_LANGUAGE) {
            let Ok(value) = value.to_str() else { continue };
            for range in value.split(',') {
                let mut parts = range.split(';').map(str::trim);
                let tag = parts.next().unwrap_or_default();
                let language = match tag.split('-').next().unwrap_or_default() {
                    primary if primary.eq_ignore_ascii_case("zh") => Self::Chinese,
                    primary if primary.eq_ignore_ascii_case("en") => Self::English,
                    _ => continue,
                };
                let weight = parts
                    .filter_map(|part| part.split_once('='))
                    .find(|(name, _)| name.trim().eq_ignore_ascii_case("q"))
                    .map_or(1.0, |(_, weight)| weight.trim().parse().unwrap_or(0.0));
                // The first of two equals is the one that was named first.
                if weight > best.0 {
                    best = (weight, language);
                }
            }
        }
        best.1
    }

    /// As `lang` and `Content-Language` name it.
    pub(super) fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }
}

/// The page's own colours and measures, as far as this needs them.
const STYLE: &str = "\
:root{color-scheme:light dark;--text:light-dark(#1b1c1e,#ececea);--soft:light-dark(#f4f4f2,#222326);\
--accent:light-dark(#2f5bb7,#9db9f5)}\
body{margin:0;min-height:100vh;display:grid;place-content:center;background:light-dark(#fff,#18191b);color:var(--text);\
font:.9375rem/1.6 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"PingFang SC\",\"Microsoft YaHei\",\
\"Noto Sans CJK SC\",sans-serif}\
main{max-width:34rem;padding:32px 24px;overflow-wrap:anywhere}\
.name{display:flex;align-items:center;gap:12px;font-weight:620}\
h1{margin:24px 0 12px;font-size:1.375rem;line-height:1.3;font-weight:650;letter-spacing:-.01em}\
p{margin:0 0 12px}\
code{padding:1px 6px;border-radius:6px;background:var(--soft);font:.92em ui-monospace,Menlo,Consolas,monospace}\
a{display:inline-block;margin-top:12px;padding:8px 16px;border-radius:8px;background:var(--accent);\
color:light-dark(#fff,#10213f);font-weight:600;text-decoration:none}\
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}";

/// The mark of the page, drawn in place: its file is for those who are let in.
const MARK: &str = "<svg width=\"32\" height=\"32\" viewBox=\"0 0 32 32\" aria-hidden=\"true\">\
<rect width=\"32\" height=\"32\" rx=\"8\" fill=\"#2f5bb7\"/>\
<g fill=\"none\" stroke=\"#fff\" stroke-width=\"2.6\" stroke-linecap=\"round\">\
<path d=\"M8.5 24V14a7.5 7.5 0 0 1 15 0v10\"/><path d=\"M16 17v7\"/></g>\
<circle cx=\"16\" cy=\"13.2\" r=\"1.9\" fill=\"#fff\"/></svg>";

/// The whole page.
pub(super) fn page(words: &Words, language: Language, nonce: &Nonce) -> String {
    let [english, chinese] = words.title;
    let (title, text, again) = match language {
        Language::English => (english, words.english, "Try again"),
        Language::Chinese => (chinese, words.chinese, "重试"),
    };
    let tag = language.tag();
    let nonce = nonce.as_str();
    let mut paragraphs = String::new();
    for line in text.lines() {
        paragraphs.push_str("<p>");
        paragraphs.push_str(&marked(line));
        paragraphs.push_str("</p>\n");
    }
    format!(
        "<!doctype html>\n<html lang=\"{tag}\">\n<head><meta charset=\"utf-8\"><title>{title} · Toolgate</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<style nonce=\"{nonce}\">{STYLE}</style></head>\n\
         <body><main>\n<div class=\"name\">{MARK}<span>Toolgate</span></div>\n<h1>{title}</h1>\n{paragraphs}\
         <a href=\"/\">{again}</a>\n</main></body>\n</html>\n",
        title = escaped(title),
    )
}

/// A paragraph in HTML. The texts are ours; only the marks of HTML itself need care.
fn marked(line: &str) -> String {
    let mut html = String::new();
    for (at, piece) in line.split('`').enumerate() {
        let piece = escaped(piece);
        if at % 2 == 1 {
            html.push_str("<code>");
            html.push_str(&piece);
            html.push_str("</code>");
        } else {
            html.push_str(&piece);
        }
    }
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    // Tests may fail loudly.
    #![allow(clippy::unwrap_used)]

    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_preferred_language_is_the_one_with_the_greatest_weight() {
        for (value, language) in [
            ("zh-CN,zh;q=0.9,en;q=0.8", Language::Chinese),
            ("en-US,en;q=0.9,zh-CN;q=0.8", Language::English),
            ("de, zh-Hans;q=0.3", Language::Chinese),
            ("de, fr;q=0.3", Language::English),
            ("en;q=0.2, ZH-TW;q=0.7", Language::Chinese),
            ("zh;q=0, en", Language::English),
            ("zh;q=0", Language::English),
            ("zho", Language::English),
            ("", Language::English),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_str(value).unwrap())]);
            assert_eq!(Language::of(&headers), language, "{value}");
        }
        assert_eq!(Language::of(&HeaderMap::new()), Language::English);
    }

    #[test]
    fn what_is_typed_stands_out_and_nothing_becomes_markup() {
        assert_eq!(marked("Run `a <b>` & wait"), "Run <code>a &lt;b></code> &amp; wait");
    }
}
