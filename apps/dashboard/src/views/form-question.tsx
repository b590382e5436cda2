import type { ReactNode } from "react";
import type { FormState } from "../page/page";
import { Button } from "./button";
import { Facts } from "./parts";
import { SecondFactorField } from "./second-factor";
import { usePage } from "./use-page";

type Props = { question: NonNullable<FormState["question"]>; values: FormState["values"] };

/** The form itself has these. */
const OWN_FIELDS = ["action", "of", "confirmed", "change"];

/** Instead of a form's fields: what it is about to do, a button that does it, and one that leads back to the fields. */
export function FormQuestion({ question, values }: Props): ReactNode {
  const { t } = usePage();
  const typed = Object.entries(values).filter(([name]) => !OWN_FIELDS.includes(name));
  return (
    <>
      {typed.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="confirmed" value={question.digest} />
      <div className="box note" tabIndex={-1} data-focus="" data-testid="question">
        <p>
          <strong>{t(question.text, question.values)}</strong>
        </p>
        <Facts rows={question.facts.map(({ label, value }) => [t(label), value])} />
      </div>
      <SecondFactorField />
      <div className="tools">
        <Button testId="confirm">{t(question.button, question.buttonValues)}</Button>
        <Button kind="quiet" name="change" value="1">
          {t("form.change")}
        </Button>
      </div>
    </>
  );
}
