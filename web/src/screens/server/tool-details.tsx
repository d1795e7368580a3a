// One tool opened: what the server says about it, why it cannot go to a model, its schemas, its hints. All of it is the
// server's word and shown as text.

import { useMemo, useState } from "preact/hooks";
import { prettyJson } from "../../core";
import type { ToolView } from "../../generated/types";
import { codeLine, messages } from "../../i18n";
import { hrefOf } from "../../state/route";
import { inline, parseJson } from "../../text/json";
import { Untrusted } from "../../text/untrusted";
import { CopyButton } from "../../ui/copy-button";
import { Icon } from "../../ui/icon";
import { Box } from "../../ui/notice";
import { obstacles } from "./tool-filter";
import { Descriptions } from "./descriptions";
import { SchemaTree } from "./schema-tree";

export function ToolDetails({ server, tool }: { server: string; tool: ToolView }) {
  const { tools } = messages.value;
  const reasons = obstacles(tool);
  const annotations = useMemo(() => parseJson(tool.annotationsJson), [tool.annotationsJson]);
  const hints = annotations instanceof Map ? [...annotations] : [];
  return (
    <div class="tool-details">
      {reasons.length > 0 && (
        <Box tone="warning" title={tools.unreadyTitle}>
          {reasons.map((reason, index) => (
            <p key={index}>{codeLine(reason.code)}</p>
          ))}
        </Box>
      )}
      <p>
        <a class="button plain tool-try" href={hrefOf({ serverId: server, toolName: tool.nativeName, call: true })}>
          <Icon name="play" />
          <span>{tools.try}</span>
        </a>
      </p>
      <Descriptions server={server} tool={tool} />
      <section>
        <h2>{tools.input}</h2>
        <Schema text={tool.inputSchemaJson} />
      </section>
      {tool.outputSchemaJson !== undefined && (
        <section>
          <h2>{tools.output}</h2>
          <Schema text={tool.outputSchemaJson} />
        </section>
      )}
      {hints.length > 0 && (
        <section>
          <h2>{tools.annotations}</h2>
          <dl class="facts">
            {hints.map(([name, value]) => (
              <div key={name}>
                <dt>
                  <Untrusted text={name} />
                </dt>
                <dd class="code">
                  <Untrusted text={inline(value)} />
                </dd>
              </div>
            ))}
          </dl>
          <p class="hint">{tools.annotationsNote}</p>
        </section>
      )}
      <section class="tool-id">
        <h2>{tools.id}</h2>
        <code>
          <Untrusted text={tool.id} />
        </code>
        <CopyButton text={tool.id} />
      </section>
    </div>
  );
}

function Schema({ text }: { text: string }) {
  const { tools } = messages.value;
  const [open, setOpen] = useState(false);
  const root = useMemo(() => parseJson(text), [text]);
  const pretty = useMemo(() => (open ? prettyJson(text) : ""), [open, text]);
  return (
    <>
      {root !== undefined && <SchemaTree root={root} />}
      <details class="disclosure" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{tools.asJson}</summary>
        {open && (
          <div class="example">
            <pre tabIndex={0}>
              <Untrusted text={pretty} lines />
            </pre>
            <CopyButton text={pretty} />
          </div>
        )}
      </details>
    </>
  );
}
