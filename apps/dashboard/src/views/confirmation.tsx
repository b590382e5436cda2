import type { ReactNode } from "react";

/** A step that needs a word first: opened by its button, without a script. */
export function Confirmation({
  label,
  children,
  danger = false,
  open = false,
  testId,
}: {
  label: string;
  children: ReactNode;
  danger?: boolean;
  open?: boolean;
  testId?: string;
}): ReactNode {
  return (
    <details className="confirmation" open={open}>
      <summary className={`button ${danger ? "danger" : "quiet"}`} data-testid={testId}>
        {label}
      </summary>
      <div className="card sheet">{children}</div>
    </details>
  );
}
