// The results at the lower edge. The region is always there, so that screen readers follow it.

import { dismiss, notices, type Notice } from "../state/notices";
import { messages } from "../i18n";
import { Button, IconButton } from "./button";
import { Icon } from "./icon";
import { ProblemText } from "./notice";

export function Notices() {
  return (
    <div class="notices">
      <div role="status" aria-live="polite">
        {notices.value
          .filter((notice) => !notice.problem)
          .map((notice) => (
            <NoticeView key={notice.id} notice={notice} />
          ))}
      </div>
      <div role="alert">
        {notices.value
          .filter((notice) => notice.problem)
          .map((notice) => (
            <NoticeView key={notice.id} notice={notice} />
          ))}
      </div>
    </div>
  );
}

function NoticeView({ notice }: { notice: Notice }) {
  const { common } = messages.value;
  return (
    <div class={notice.problem ? "notice error" : "notice"}>
      <Icon name={notice.problem ? "circleAlert" : "check"} size={18} />
      <div class="notice-text">
        {notice.text}
        {notice.problem && <ProblemText problem={notice.problem} />}
      </div>
      {notice.undo && (
        <Button
          kind="quiet"
          onClick={() => {
            notice.undo?.();
            dismiss(notice.id);
          }}
        >
          {common.undo}
        </Button>
      )}
      <IconButton icon="x" label={common.dismiss} onClick={() => dismiss(notice.id)} />
    </div>
  );
}
