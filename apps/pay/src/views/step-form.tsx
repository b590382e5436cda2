import type { ReactNode } from "react";
import { WholeSums } from "./whole-sums";

export type StepFormProps = {
  token: string;
  step: string;
  formToken: string;
  className?: string;
  /** Where it is sent, if not to the page of its order. */
  at?: string;
  children: ReactNode;
};

/** A form that takes one step of the checkout. The script sends it once; the api decides either way. */
export function StepForm({ token, step, formToken, className, at, children }: StepFormProps): ReactNode {
  return (
    <form method="post" action={at ?? `/pay/${token}/${step}`} className={className} data-once="">
      <input type="hidden" name="form_token" value={formToken} />
      {children}
    </form>
  );
}

export type StepButtonProps = {
  testId: string;
  kind: "main" | "quiet" | "danger" | "plain";
  label: string;
  /** What the button says while its form is under way. */
  busy: string;
};

export function StepButton({ testId, kind, label, busy }: StepButtonProps): ReactNode {
  return (
    <button type="submit" className={`button ${kind}`} data-testid={testId} data-busy={busy}>
      <span>
        <WholeSums>{label}</WholeSums>
      </span>
    </button>
  );
}
