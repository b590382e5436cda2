import type { consoleHomeResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { Card, Money } from "./parts";
import { usePage } from "./use-page";

type Sum = z.infer<typeof consoleHomeResponseSchema>["data"]["sums"][number];

const SERIES = ["payments", "refunds", "payouts"] as const;
const WIDTH = 600;
const HEIGHT = 120;

export function DayChart({ sum }: { sum: Sum }): ReactNode {
  const { t, f } = usePage();
  const { currency, digits, days } = sum;
  const most = Math.max(...days.flatMap((day) => SERIES.map((name) => Number(day[name]))), 1);
  const step = WIDTH / days.length;
  const bar = step / (SERIES.length + 1);
  const totals = SERIES.map((name) => ({
    name,
    total: sumAmounts(
      days.map((day) => day[name]),
      digits,
    ),
  }));
  return (
    <Card title={t("home.chart", { currency })}>
      <ul className="legend">
        {totals.map(({ name, total }) => (
          <li key={name} data-series={name}>
            {t(`series.${name}`)} <Money money={{ amount: total, currency }} />
          </li>
        ))}
      </ul>
      <svg
        className="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t("home.chartLabel", { currency })}
      >
        {days.map((day, index) =>
          SERIES.map((name, position) => {
            const height = (Number(day[name]) / most) * HEIGHT;
            return height === 0 ? null : (
              <rect
                key={`${day.day}-${name}`}
                data-series={name}
                x={index * step + position * bar + bar / 2}
                y={HEIGHT - height}
                width={bar}
                height={height}
                rx="1.5"
              >
                <title>{`${f.day(day.day)} – ${f.money({ amount: day[name], currency })}`}</title>
              </rect>
            );
          }),
        )}
      </svg>
      <p className="ends soft">
        <span>{f.day(days[0]?.day ?? "")}</span> <span>{t("home.today")}</span>
      </p>
    </Card>
  );
}

/** Adds decimal strings exactly. Each string must have `digits` decimals. */
function sumAmounts(amounts: readonly string[], digits: number): string {
  const minor = amounts.reduce((sum, amount) => sum + BigInt(amount.replace(".", "")), 0n).toString();
  if (digits === 0) return minor;
  const padded = minor.padStart(digits + 1, "0");
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}
