import type { ReactNode } from "react";
import { zoneText } from "../texts/time-zones";
import { Button, Confirmation, Field, Form, Select, useRefused } from "./form";
import { usePage } from "./use-page";

export type Resend = {
  /** Times by the person's clock, as a field of a browser writes them. */
  from: string;
  to: string;
  what: "failed" | "all";
  /** Calls with one moment send each delivery once. */
  asOf: string;
  /** The call before sent as many as one call may: this is the rest. */
  goesOn: boolean;
};

/** Sends the deliveries of a time again: those that were given up, or all. */
export function ResendRange({ resend }: { resend: Resend }): ReactNode {
  const { page, t } = usePage();
  const refused = useRefused(["resend"]);
  const zone = { zone: zoneText(page.timeZone) };
  return (
    <Confirmation label={t("resend.title")} open={refused || resend.goesOn} testId="resend-range">
      <Form action="resend">
        <p>{t("resend.text")}</p>
        <input type="hidden" name="as_of" value={resend.asOf} />
        <Field name="from" type="datetime-local" label={t("resend.from", zone)} value={resend.from} />
        <Field name="to" type="datetime-local" label={t("resend.to", zone)} value={resend.to} />
        <Select
          name="what"
          label={t("resend.what")}
          value={resend.what}
          choices={(["failed", "all"] as const).map((value) => ({ value, text: t(`resend.${value}`) }))}
        />
        <Button testId="resend-now">{t(resend.goesOn ? "resend.goOn" : "resend.button")}</Button>
      </Form>
    </Confirmation>
  );
}
