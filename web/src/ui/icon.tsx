// Icons from lucide, inlined at build time. Beside a word they are hidden from screen readers; alone, the control that
// holds one has a label.

import activity from "lucide-static/icons/loader-circle.svg";
import arrowLeft from "lucide-static/icons/arrow-left.svg";
import check from "lucide-static/icons/check.svg";
import chevron from "lucide-static/icons/chevron-right.svg";
import circleAlert from "lucide-static/icons/circle-alert.svg";
import circleCheck from "lucide-static/icons/circle-check.svg";
import circleDashed from "lucide-static/icons/circle-dashed.svg";
import circleOff from "lucide-static/icons/ban.svg";
import circlePause from "lucide-static/icons/circle-pause.svg";
import copy from "lucide-static/icons/copy.svg";
import ellipsis from "lucide-static/icons/ellipsis.svg";
import fileInput from "lucide-static/icons/file-input.svg";
import fileWarning from "lucide-static/icons/file-warning.svg";
import globe from "lucide-static/icons/globe.svg";
import hand from "lucide-static/icons/message-circle-question-mark.svg";
import info from "lucide-static/icons/info.svg";
import list from "lucide-static/icons/list-checks.svg";
import pencil from "lucide-static/icons/pencil.svg";
import play from "lucide-static/icons/play.svg";
import plug from "lucide-static/icons/plug-zap.svg";
import plus from "lucide-static/icons/plus.svg";
import refresh from "lucide-static/icons/refresh-cw.svg";
import search from "lucide-static/icons/search.svg";
import server from "lucide-static/icons/server.svg";
import settings from "lucide-static/icons/settings-2.svg";
import square from "lucide-static/icons/square.svg";
import terminal from "lucide-static/icons/square-terminal.svg";
import trash from "lucide-static/icons/trash-2.svg";
import triangleAlert from "lucide-static/icons/triangle-alert.svg";
import unplug from "lucide-static/icons/unplug.svg";
import users from "lucide-static/icons/users-round.svg";
import undo from "lucide-static/icons/undo-2.svg";
import x from "lucide-static/icons/x.svg";

const icons = {
  activity,
  arrowLeft,
  check,
  chevron,
  circleAlert,
  circleCheck,
  circleDashed,
  circleOff,
  circlePause,
  copy,
  ellipsis,
  fileInput,
  fileWarning,
  globe,
  hand,
  info,
  list,
  pencil,
  play,
  plug,
  plus,
  refresh,
  search,
  server,
  settings,
  square,
  terminal,
  trash,
  triangleAlert,
  undo,
  unplug,
  users,
  x,
};

export type IconName = keyof typeof icons;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      class={`icon icon-${name}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={icons[name]} />
    </svg>
  );
}

/** An icon that turns while something is under way. */
export function Spinner({ size = 16 }: { size?: number }) {
  return <Icon name="activity" size={size} />;
}
