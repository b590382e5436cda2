import { consoleStatementAnswerSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { read } from "../../../../../edge/console-edge";
import { consolePage } from "../../../../../page/console-page";
import { placePath } from "../../../../../place-path";
import { textOfCase } from "../../../../../texts/texts";
import { Frame } from "../../../../../views/frame";
import { Card, Empty, Money, Pages, Table, Time } from "../../../../../views/parts";
import { usePage } from "../../../../../views/use-page";

export const config = { unstable_runtimeJS: false };

type Statement = z.infer<typeof consoleStatementAnswerSchema>["data"];
type Entry = Statement["items"][number];
type Props = Statement & { currency: string };

export default function StatementPage({ items, next, previous, currency }: Props): ReactNode {
  const { page, t } = usePage();
  const { place } = page;
  if (place === null) return null;
  const to = (...parts: string[]) => placePath(place.merchantId, place.mode, ...parts);
  const linkOf = ({ order_id, refund_id, payout_id }: Entry): string | null => {
    if (payout_id) return to("payouts", payout_id);
    if (refund_id) return to("refunds", refund_id);
    return order_id ? to("orders", order_id) : null;
  };
  return (
    <Frame title={t("statement.title", { currency })} back={{ href: to("wallets"), text: t("nav.wallets") }}>
      <form className="filters list-tools" method="get" action={`${to("wallets", currency)}/statement.csv`}>
        {(["from", "to"] as const).map((name) => (
          <label key={name}>
            <span>{t(`filter.${name}`)}</span>
            <input type="date" name={name} />
          </label>
        ))}
        <button type="submit" className="button quiet" data-testid="statement-csv">
          {t("statement.csv")}
        </button>
      </form>
      {items.length === 0 ? (
        <Empty title={t("statement.none")} />
      ) : (
        <Card>
          <Table
            caption={t("statement.title", { currency })}
            rows={items}
            keyOf={({ entry_id }) => entry_id}
            columns={[
              {
                title: t("statement.what"),
                cell: (entry) => {
                  const link = linkOf(entry);
                  const text = textOfCase(t, "movement", entry.kind);
                  return link === null ? text : <a href={link}>{text}</a>;
                },
              },
              { title: t("order.reference"), cell: ({ reference }) => reference ?? "–" },
              { title: t("list.created"), cell: ({ at }) => <Time at={at} /> },
              { title: t("list.amount"), cell: ({ money }) => <Money money={money} sign />, number: true },
              {
                title: t("statement.balance"),
                cell: ({ balance }) => <Money money={balance} />,
                number: true,
              },
            ]}
          />
        </Card>
      )}
      <Pages next={next} previous={previous} />
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ caller, place, part, query }) => ({
    currency: part("currency"),
    ...(await read(caller, place("wallets", part("currency"), "statement"), consoleStatementAnswerSchema, {
      before: query("before"),
      after: query("after"),
    })),
  }),
});
