import { type ConsoleAttention, type ConsoleRight, hasRight } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Card, EndTime, Money, Time } from "./parts";
import { useMerchantPage, usePage } from "./use-page";

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
    case "shop_differs":
    case "shop_not_compared":
      return ["reports", "shops", id];
  }
};

const PAGE_RIGHTS: { [Kind in ConsoleAttention["kind"]]?: ConsoleRight } = {
  credential_ending: "credentials.view",
  shop_differs: "reports.view",
  shop_not_compared: "reports.view",
};

export function AttentionList({ attention }: { attention: readonly ConsoleAttention[] }): ReactNode {
  const { t } = usePage();
  if (attention.length === 0) return null;
  return (
    <Card title={t("attention.title")} testId="attention">
      <ul className="attention">
        {attention.map((item) => (
          <li key={`${item.kind}-${item.id}`}>
            <PageLink item={item} /> {item.title} {item.money ? <Money money={item.money} /> : null}{" "}
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

function PageLink({ item }: { item: ConsoleAttention }): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  const text = t(`attention.${item.kind}`);
  const right = PAGE_RIGHTS[item.kind];
  const isAllowed = right === undefined || hasRight(merchant.role, right);
  return isAllowed ? <a href={to(...toPathParts(item))}>{text}</a> : text;
}
