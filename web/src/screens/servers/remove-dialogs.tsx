// The two removals, each with what it destroys: a server, and a file that could not be used.

import { messages } from "../../i18n";
import { forgetTools } from "../../state/catalogs";
import { say } from "../../state/notices";
import { go, route } from "../../state/route";
import { removeFile, removeServer, serverById } from "../../state/servers";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Confirm } from "../confirm";

export function RemoveServerDialog({ id }: { id: string }) {
  const { remove } = messages.value;
  const server = serverById(id);
  if (!server) return null;
  const name = visible(server.displayName);
  const decided = Object.keys(server.toolPermissions).length;
  const described = Object.keys(server.toolDescriptionOverrides).length;
  return (
    <Confirm
      title={remove.title(name)}
      confirm={remove.confirm}
      act={async () => {
        await removeServer(id);
        forgetTools(id);
        if (route.peek().serverId === id) go({});
        say(remove.done(name));
      }}
    >
      <p>{remove.text}</p>
      <ul class="bullets">
        <li>{remove.connection(visible(server.target))}</li>
        {decided > 0 && <li>{remove.permissions(decided)}</li>}
        {described > 0 && <li>{remove.overrides(described)}</li>}
        {server.toolCount !== undefined && <li>{remove.catalog(server.toolCount)}</li>}
        <li>{remove.grants}</li>
      </ul>
      <p class="muted">{remove.server}</p>
    </Confirm>
  );
}

export function RemoveFileDialog({ fileName }: { fileName: string }) {
  const { servers } = messages.value;
  return (
    <Confirm
      title={servers.issueRemoveTitle}
      confirm={servers.issueRemoveConfirm}
      act={async () => {
        await removeFile(fileName);
        say(servers.issueRemoved(visible(fileName)));
      }}
    >
      <p class="exact">
        <Untrusted text={fileName} />
      </p>
      <p>{servers.issueRemoveText(visible(fileName))}</p>
    </Confirm>
  );
}
