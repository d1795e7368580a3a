// An on/off switch. Where turning it on needs a look first, the handler opens that look and the switch stays as it is.

interface Props {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onToggle(): void;
}

export function Switch({ label, checked, disabled = false, onToggle }: Props) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-label={label}
      aria-checked={checked}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onToggle}
    >
      <span class="switch-thumb" />
    </button>
  );
}
