// Boxes that say something: a note, a warning, an error. Always an icon and words.

import type { ComponentChildren } from "preact";
import type { Failure } from "../bridge/problem";
import type { Diagnostic } from "../generated/types";
import { explain, messages } from "../i18n";
import { Untrusted } from "../text/untrusted";
import { Icon, type IconName } from "./icon";

type Tone = "info" | "warning" | "error" | "success";

const ICONS: Record<Tone, IconName> = {
  info: "info",
  warning: "triangleAlert",
  error: "circleAlert",
  success: "circleCheck",
};

interface BoxProps {
  tone: Tone;
  title?: ComponentChildren;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}

export function Box({ tone, title, children, actions }: BoxProps) {
  return (
    <div class={`box ${tone}`} role={tone === "error" ? "alert" : undefined}>
      <Icon name={ICONS[tone]} size={18} />
      <div class="box-text">
        {title && <strong>{title}</strong>}
        {children}
      </div>
      {actions && <div class="box-actions">{actions}</div>}
    </div>
  );
}

/** A diagnostic in the person's language: what, what next, and where. */
export function DiagnosticText({ diagnostic }: { diagnostic: Diagnostic }) {
  const { what, next, detail } = explain(diagnostic);
  return (
    <>
      <strong>
        {what}
        {diagnostic.nativeName !== undefined && (
          <>
            {" — "}
            <Untrusted text={diagnostic.nativeName} />
          </>
        )}
      </strong>
      {next !== "" && (
        <p>
          <Untrusted text={next} />
        </p>
      )}
      <Detail text={detail} path={diagnostic.path} />
    </>
  );
}

/**
 * The field it is about, and the particulars: the host's own sentence, which is in English. In another language ours says
 * what matters, and theirs is there for who asks.
 */
export function Detail({ text, path }: { text: string; path: string | undefined }) {
  return (
    <>
      {path !== undefined && (
        <p class="detail">
          <code>
            <Untrusted text={path} />
          </code>
        </p>
      )}
      {text !== "" && (
        <details class="original">
          <summary>{messages.value.problem.original}</summary>
          <p class="detail" lang="en">
            <Untrusted text={text} />
          </p>
        </details>
      )}
    </>
  );
}

/** Why a request failed, with what to do next. */
export function ProblemText({ problem }: { problem: Failure }) {
  if (problem.kind === "refused") {
    const { others = [], ...first } = problem.refusal;
    return (
      <>
        {[first, ...others].map((diagnostic, index) => (
          <div key={index}>
            <DiagnosticText diagnostic={diagnostic} />
          </div>
        ))}
      </>
    );
  }
  const { title, next } = messages.value.problem[problem.kind];
  return (
    <>
      <strong>{title}</strong>
      <p>{next}</p>
      {problem.kind === "broken" && <Detail text={problem.message} path={undefined} />}
    </>
  );
}

export function ProblemBox(props: { problem: Failure; title?: string; actions?: ComponentChildren }) {
  return (
    <Box tone="error" title={props.title} actions={props.actions}>
      <ProblemText problem={props.problem} />
    </Box>
  );
}
