// The page's own settings, in a popover: language and appearance; and what the host says about itself.

import { useId, useRef } from "preact/hooks";
import { LANGUAGES, messages } from "../../i18n";
import { hostInfo } from "../../state/bridge";
import { language, theme } from "../../state/preferences";
import { Choice } from "../../ui/choice";
import { Icon } from "../../ui/icon";
import { Kept } from "../credentials";

export function Preferences() {
  const { settings } = messages.value;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const info = hostInfo.value;
  return (
    <>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={settings.title}
        title={settings.title}
        popovertarget={id}
      >
        <Icon name="settings" size={18} />
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={settings.title}
        class="preferences"
        onToggle={(event) => {
          if (event.newState !== "open" || !button.current) return;
          const from = button.current.getBoundingClientRect();
          const panel = event.currentTarget;
          panel.style.top = `${from.bottom + 4}px`;
          panel.style.left = `${Math.max(8, Math.min(from.left, innerWidth - panel.offsetWidth - 8))}px`;
          panel.querySelector<HTMLElement>("[aria-checked=true]")?.focus();
        }}
      >
        <div class="field">
          <span class="label" aria-hidden="true">
            {settings.language}
          </span>
          <Choice
            label={settings.language}
            value={language.value}
            options={LANGUAGES.map(([value, label]) => ({ value, label }))}
            onChange={(value) => (language.value = value)}
          />
        </div>
        <div class="field">
          <span class="label" aria-hidden="true">
            {settings.theme}
          </span>
          <Choice
            label={settings.theme}
            value={theme.value}
            options={(["auto", "light", "dark"] as const).map((value) => ({
              value,
              label: settings.themes[value],
            }))}
            onChange={(value) => (theme.value = value)}
          />
        </div>
        {info && (
          <div class="about">
            <p>{settings.about(info.version)}</p>
            <p>
              {settings.dataDir} <code>{info.dataDir}</code>
            </p>
            <Kept />
            <p>{info.proxies.length > 0 ? settings.proxy(info.proxies.join(", ")) : settings.noProxy}</p>
          </div>
        )}
      </div>
    </>
  );
}
