import type { ConsoleTill } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Button, Field, Form } from "./form";
import { usePage } from "./use-page";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0", "⌫"] as const;

/** The amount, typed as at every till: each digit moves the others to the left. Without scripts it is a plain field. */
export function TillKeypad({ till, orderKey }: { till: ConsoleTill; orderKey: string }): ReactNode {
  const { t } = usePage();
  return (
    <Form action="charge" className="till-form">
      <h1 className="unseen">{t("till.charge")}</h1>
      <input type="hidden" name="idempotency_key" value={orderKey} />
      <div className="till-amount" data-amount-field="" data-digits={till.digits}>
        <Field name="amount" label={t("till.amountIn", { currency: till.currency })} inputMode="decimal" />
      </div>
      <div className="till-keys with-script" data-keys="">
        {KEYS.map((key) => (
          <button
            key={key}
            type="button"
            data-key={key}
            aria-label={key === "⌫" ? t("till.erase") : undefined}
          >
            {key}
          </button>
        ))}
      </div>
      <Field name="note" label={t("till.note")} optional />
      <Button testId="charge">{t("till.charge")}</Button>
    </Form>
  );
}
