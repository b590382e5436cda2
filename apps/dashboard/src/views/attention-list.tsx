import type { ConsoleAttention } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Card, EndTime, Money, Time } from "./parts";
import { useMerchantPath, usePage } from "./use-page";

/** Returns the path of the page where each kind is resolved. */
const toPathParts = ({ kind, id }: ConsoleAttention): string[] => {
  switch (kind) {
    case "endpoint_failing":
    case "endpoint_disabled":
    case "endpoint_secret_ending":
      return ["webhooks", id];
    case "payment_not_delivered":
      return ["orders", id];
    case "refund_waiting":
      return ["refunds", id];
    case "payout_waiting":
      return ["payouts", id];
    case "limit_nearly_reached":
      return ["payouts"];
    case "credential_ending":
      return ["developers"];
  }
};

export function AttentionList({ attention }: { attention: readonly ConsoleAttention[] }): ReactNode {
  const { page, t } = usePage();
  const to = useMerchantPath();
  const { merchant } = page;
  if (merchant === null || attention.length === 0) return null;
  return (
    <Card title={t("attention.title")} testId="attention">
      <ul className="attention">
        {attention.map((item) => (
          <li key={`${item.kind}-${item.id}`}>
            <a href={to(...toPathParts(item))}>{t(`attention.${item.kind}`)}</a> {item.title}{" "}
            {item.money ? <Money money={item.money} /> : null}{" "}
            {item.at ? (
              <span className="soft">
                {item.kind.endsWith("_ending") ? <EndTime at={item.at} /> : <Time at={item.at} />}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
