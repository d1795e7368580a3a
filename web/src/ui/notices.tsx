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
  const offered = notice.undo ? { label: common.undo, act: notice.undo } : notice.action;
  return (
    <div class={notice.problem ? "notice error" : "notice"}>
      <Icon name={notice.problem ? "circleAlert" : "check"} size={18} />
      <div class="notice-text">
        {notice.problem ? (
          <>
            <strong>{notice.text}</strong>
            <ProblemText problem={notice.problem} />
          </>
        ) : (
          notice.text
        )}
      </div>
      {offered && (
        <Button
          kind="quiet"
          onClick={() => {
            offered.act();
            dismiss(notice.id);
          }}
        >
          {offered.label}
        </Button>
      )}
      <IconButton icon="x" label={common.dismiss} onClick={() => dismiss(notice.id)} />
    </div>
  );
}
