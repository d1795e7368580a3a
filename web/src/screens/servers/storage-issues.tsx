// Files that could not be used: what is wrong with each, and removing one, which asks first.

import type { StorageIssue } from "../../generated/types";
import { explain, messages } from "../../i18n";
import { openDialog } from "../../state/dialogs";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Detail } from "../../ui/notice";

export function StorageIssues({ issues }: { issues: readonly StorageIssue[] }) {
  const { servers } = messages.value;
  return (
    <details class="issues disclosure">
      <summary>
        <Icon name="fileWarning" size={18} />
        {servers.issuesTitle(issues.length)}
      </summary>
      <p>{servers.issuesText(issues.length)}</p>
      <ul>
        {issues.map((issue) => {
          const { what, next, detail } = explain(issue);
          return (
            <li key={issue.fileName}>
              <strong>{what}</strong>
              <code class="file-name">
                <Untrusted text={issue.fileName} />
              </code>
              <p>
                <Untrusted text={next} />
              </p>
              <Detail text={detail} path={undefined} />
              <Button
                kind="quiet"
                icon="trash"
                aria-label={servers.issueRemoveLabel(visible(issue.fileName))}
                onClick={() => (openDialog.value = { kind: "removeFile", fileName: issue.fileName })}
              >
                {servers.issueRemove}
              </Button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
