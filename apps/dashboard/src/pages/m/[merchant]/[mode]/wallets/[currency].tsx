import { type ConsoleStatementEntry, consoleStatementResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import { zoneText } from "#texts/formats.ts";
import { textOfCase } from "#texts/texts.ts";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Pages, Table } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";
import { StatementDownloads, useMovementColumns } from "#views/wallets.tsx";

export const config = { unstable_runtimeJS: false };

type Statement = z.infer<typeof consoleStatementResponseSchema>["data"];
type Props = Statement & { currency: string };

export default function StatementPage({ items, next, previous, currency }: Props): ReactNode {
  const { page, t, to } = useMerchantPage();
  const findLink = ({ order_id, refund_id, payout_id }: ConsoleStatementEntry): string | null => {
    if (payout_id) return to("payouts", payout_id);
    if (refund_id) return to("refunds", refund_id);
    return order_id ? to("orders", order_id) : null;
  };
  const columns = useMovementColumns((entry) => {
    const link = findLink(entry);
    const text = textOfCase(t, "movement", entry.kind);
    return link === null ? text : <a href={link}>{text}</a>;
  });
  return (
    <Frame
      title={t("statement.title", { currency })}
      back={{ href: to("wallets"), text: t("nav.wallets") }}
      tools={
        <a className="button quiet" href={to("wallets", currency, "print")}>
          {t("statement.print")}
        </a>
      }
    >
      <StatementDownloads path={to("wallets", currency)}>
        {(["from", "to"] as const).map((name) => (
          <label key={name}>
            <span>{t(`resend.${name}`, { zone: zoneText(page.timeZone) })}</span>
            <input type="date" name={name} />
          </label>
        ))}
      </StatementDownloads>
      {items.length === 0 ? (
        <Empty title={t("statement.none")} />
      ) : (
        <Card>
          <Table
            caption={t("statement.title", { currency })}
            rows={items}
            keyOf={({ entry_id }) => entry_id}
            columns={columns}
          />
        </Card>
      )}
      <Pages next={next} previous={previous} />
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part, query }) => ({
    currency: part("currency"),
    ...(await read(apiPath("wallets", part("currency"), "statement"), consoleStatementResponseSchema, {
      before: query("before"),
      after: query("after"),
    })),
  }),
});
