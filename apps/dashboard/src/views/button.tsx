import type { ReactNode } from "react";

export type ButtonProps = {
  kind?: "main" | "quiet" | "danger" | "link";
  name?: string;
  value?: string;
  pressed?: boolean;
  lang?: string;
  label?: string;
  testId?: string;
  children: ReactNode;
};

export function Button({ kind = "main", pressed, testId, label, children, ...rest }: ButtonProps): ReactNode {
  return (
    <button
      type="submit"
      className={`button ${kind}`}
      aria-pressed={pressed}
      aria-label={label}
      data-testid={testId}
      {...rest}
    >
      {children}
    </button>
  );
}

/**
 * First in a form with two outcomes: Enter in a field presses a form's first button, and this one does nothing. Each outcome is
 * chosen by its own button.
 */
export const NoDefaultButton = (): ReactNode => <button type="submit" disabled hidden />;
