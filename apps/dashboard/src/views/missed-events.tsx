import type { missedAnswerSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { Button, Confirmation, Form } from "./form";
import { usePage } from "./use-page";

export type Missed = z.infer<typeof missedAnswerSchema>["data"];

/**
 * Sends an endpoint what it missed: events of before it existed or while it was disabled, and what was given up. One that is disabled
 * is enabled first.
 */
export function MissedEvents({ missed, active }: { missed: Missed; active: boolean }): ReactNode {
  const { t, f } = usePage();
  const { never_sent, given_up, first, last, more } = missed;
  if (first === null || last === null) return <p data-testid="missed">{t("missed.nothing")}</p>;
  const count = `${f.number(never_sent + given_up)}${more ? "+" : ""}`;
  return (
    <Confirmation label={t("missed.title", { count })} open testId="missed">
      <Form action="missed">
        <p>{t("missed.text", { never: never_sent, givenUp: given_up })}</p>
        <p className="soft">{t("missed.between", { first: f.time(first), last: f.time(last) })}</p>
        <input type="hidden" name="from" value={first} />
        <input type="hidden" name="to" value={last} />
        {active ? (
          <Button testId="send-missed">{t("missed.button")}</Button>
        ) : (
          <p className="box note">{t("refusal.receiver_inactive")}</p>
        )}
      </Form>
    </Confirmation>
  );
}
