import type { ReactNode } from "react";
import { placePath } from "../place-path";
import { Card } from "./parts";
import { usePage } from "./use-page";

const STEPS = [
  ["key", "developers"],
  ["endpoint", "webhooks"],
  ["order", "orders"],
  ["paid", "orders"],
  ["delivered", "webhooks"],
] as const;
type Step = (typeof STEPS)[number][0];

/** The way to a first sale: each step ticks itself, and the next one is the one to take. */
export function SetupPath({ done }: { done: Readonly<Record<Step, boolean>> }): ReactNode {
  const { page, t } = usePage();
  const { place } = page;
  if (place === null) return null;
  const next = STEPS.find(([step]) => !done[step])?.[0];
  return (
    <Card title={t("setup.title")} testId="setup">
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
              <a href={placePath(place.merchantId, place.mode, section)}>{t(`setup.${step}`)}</a>
              {step === next ? <p className="soft">{t(`setup.${step}Text`)}</p> : null}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
