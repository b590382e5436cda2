import { type Mode, PAY_API_PATH } from "@tillgate/contract";
import type { ReactNode } from "react";
import { placePath } from "../place-path";
import { Following } from "./following";
import { Card, Code } from "./parts";
import { RECEIVER_LINES } from "./receiver-lines";
import { usePage } from "./use-page";

const STEPS = [
  ["key", "developers"],
  ["endpoint", "webhooks"],
  ["order", "orders"],
  ["paid", "orders"],
  ["delivered", "orders"],
] as const;
type Step = (typeof STEPS)[number][0];

/** Paid and looked at is the order that was made last: its page has the payment page's link, and how its webhook does. */
const ofOrder = (step: Step): boolean => step === "paid" || step === "delivered";

export type SetupPathProps = {
  done: Readonly<Record<Step, boolean>>;
  /** Where programs reach the api, and the merchant's own client id, for the lines to paste. */
  base: string;
  clientId: string;
  /** Of the first wallet; undefined where there is none, which an order needs. */
  currency: string | undefined;
  /** The newest order, to be paid and looked at. */
  orderId: string | null;
};

/** The way to a first sale: each step ticks itself, and the next one is the one to take. */
export function SetupPath({ done, orderId, ...filled }: SetupPathProps): ReactNode {
  const { page, t } = usePage();
  const { place } = page;
  if (place === null) return null;
  const next = STEPS.find(([step]) => !done[step])?.[0];
  const lines = linesOf({ ...filled, mode: place.mode });
  return (
    <Card title={t("setup.title")} testId="setup">
      <Following reloads={false}>
        <ol className="setup">
          {STEPS.map(([step, section]) => (
            <li
              key={step}
              data-done={done[step] ? "" : undefined}
              aria-current={step === next ? "step" : undefined}
            >
              <span className="tick" role="img" aria-label={t(done[step] ? "setup.done" : "setup.open")}>
                {done[step] ? "✓" : ""}
              </span>
              <div>
                <a
                  href={placePath(
                    place.merchantId,
                    place.mode,
                    section,
                    ...(ofOrder(step) && orderId !== null ? [orderId] : []),
                  )}
                >
                  {t(`setup.${step}`)}
                </a>
                {step === next ? <p className="soft">{t(`setup.${step}Text`)}</p> : null}
                {step === next && step === "order" && filled.currency === undefined ? (
                  <p className="box note">
                    <a href={placePath(place.merchantId, place.mode, "wallets")}>{t("setup.walletFirst")}</a>
                  </p>
                ) : null}
                {step === next && lines[step] !== undefined ? (
                  <LinesToPaste step={step} text={lines[step]} />
                ) : null}
              </div>
            </li>
          ))}
        </ol>
      </Following>
    </Card>
  );
}

/** A whole program is folded, so that the path stays on the first screen. */
function LinesToPaste({ step, text }: { step: Step; text: string }): ReactNode {
  const { t } = usePage();
  const code = <Code id={`setup-${step}`} text={text} />;
  if (step !== "endpoint") return code;
  return (
    <details>
      <summary>{t("webhooks.receiver")}</summary>
      {code}
    </details>
  );
}

/** What is pasted at a step, with the merchant's own address and client id. */
const linesOf = ({
  base,
  clientId,
  currency = "EUR",
  mode,
}: Pick<SetupPathProps, "base" | "clientId" | "currency"> & { mode: Mode }): Partial<
  Record<Step, string>
> => ({
  endpoint: RECEIVER_LINES,
  order: [
    "export TILLGATE_CLIENT_SECRET=tgs_…",
    `curl -u "${clientId}:$TILLGATE_CLIENT_SECRET" -H 'Content-Type: application/json' \\`,
    `  -d '{"amount":"1.00","currency":"${currency}","description":"First order"}' ${base}${PAY_API_PATH[mode]}/orders`,
  ].join("\n"),
});
