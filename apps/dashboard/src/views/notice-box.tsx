import type { ReactNode } from "react";
import { fieldId } from "./form-state";
import { usePage } from "./use-page";

/** What the form before did, or what is wrong with the one on this page. It takes the focus, so that it is read out. */
export function NoticeBox(): ReactNode {
  const { page, t } = usePage();
  const { notice, form } = page;
  if (form && form.errors.length > 0)
    return (
      <div className="box bad" role="alert" tabIndex={-1} data-focus="" data-testid="form-errors">
        <h2>{t("form.notAccepted")}</h2>
        <ul>
          {form.errors.map(({ field, text, values }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: The list is drawn once.
            <li key={index}>
              {field === null ? (
                t(text, values)
              ) : (
                <a href={`#${fieldId(form.action, form.values.of, field)}`}>{t(text, values)}</a>
              )}
            </li>
          ))}
        </ul>
      </div>
    );
  if (notice === null) return null;
  return (
    <p className={`box ${notice.tone}`} role="status" data-testid="notice">
      {t(notice.text, notice.values)}
    </p>
  );
}
