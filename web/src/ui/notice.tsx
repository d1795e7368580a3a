// Boxes that say something: a note, a warning, an error. Always an icon and words.

import type { ComponentChildren } from "preact";
import type { Failure } from "../bridge/problem";
import type { Diagnostic } from "../generated/types";
import { explain, inOneLine, messages } from "../i18n";
import { Sentence } from "../text/sentence";
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
  /** Read out at once, whatever the tone: it answers what the person just did. */
  alert?: boolean;
  title?: ComponentChildren;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}

export function Box({ tone, alert = tone === "error", title, children, actions }: BoxProps) {
  return (
    <div class={`box ${tone}`} role={alert ? "alert" : undefined}>
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
            {messages.value.common.about}
            <Untrusted text={diagnostic.nativeName} />
          </>
        )}
      </strong>
      {next !== "" && (
        <p>
          <Sentence text={next} />
        </p>
      )}
      <Detail text={detail} path={diagnostic.path} />
    </>
  );
}

/** The same in one paragraph. */
export function DiagnosticLine({ diagnostic }: { diagnostic: Pick<Diagnostic, "code" | "message" | "path"> }) {
  const { what, next, detail } = explain(diagnostic);
  // A sentence with the particulars says what happened as well.
  const isWhole = next !== "" && next === diagnostic.message;
  return (
    <>
      <p>
        <Sentence text={isWhole ? next : inOneLine(what, next)} />
      </p>
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
            <Sentence text={text} />
          </p>
        </details>
      )}
    </>
  );
}

/** Why a request failed, with what to do next. Under a title it is one paragraph: no title under a title. */
export function ProblemText({ problem, titled = false }: { problem: Failure; titled?: boolean }) {
  if (problem.kind === "refused") {
    const { others = [], ...first } = problem.refusal;
    return (
      <>
        {[first, ...others].map((diagnostic, index) => (
          <div key={index}>
            {titled ? <DiagnosticLine diagnostic={diagnostic} /> : <DiagnosticText diagnostic={diagnostic} />}
          </div>
        ))}
      </>
    );
  }
  const { title, next } = messages.value.problem[problem.kind];
  return (
    <>
      {!titled && <strong>{title}</strong>}
      <p>{titled ? inOneLine(title, next) : next}</p>
      {problem.kind === "broken" && <Detail text={problem.message} path={undefined} />}
    </>
  );
}

interface ProblemBoxProps {
  problem: Failure;
  title?: ComponentChildren;
  /** Less than an error where what is shown is still of use. */
  tone?: Tone;
  actions?: ComponentChildren;
  children?: ComponentChildren;
}

export function ProblemBox({ problem, title, tone = "error", actions, children }: ProblemBoxProps) {
  return (
    <Box tone={tone} alert title={title} actions={actions}>
      <ProblemText problem={problem} titled={title !== undefined} />
      {children}
    </Box>
  );
}
