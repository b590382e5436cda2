import type { WalletView } from "@tillgate/contract";
import type { ReactNode } from "react";

export type WalletFormProps = {
  /** The page that takes the form. */
  to: string;
  view: Pick<WalletView, "form_token">;
  /** What it does, on a page that takes several; and of what. */
  step?: string;
  id?: string;
  className?: string;
  children: ReactNode;
};

/** A form of the wallet. The api decides what sending it again does. */
export function WalletForm({ to, view, step, id, className, children }: WalletFormProps): ReactNode {
  return (
    <form method="post" action={to} className={className}>
      <input type="hidden" name="form_token" value={view.form_token} />
      {step === undefined ? null : <input type="hidden" name="step" value={step} />}
      {id === undefined ? null : <input type="hidden" name="id" value={id} />}
      {children}
    </form>
  );
}
