import { batchListResponseSchema, type ConsoleBatch, hasRight } from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Empty, Table, Time } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { batches: ConsoleBatch[] };

export default function BatchesPage({ batches }: Props): ReactNode {
  const { t, f, merchant, to: path } = useMerchantPage();
  const to = (...parts: string[]) => path("payouts", ...parts);
  return (
    <Frame
      title={t("batch.byFile")}
      back={{ href: to(), text: t("nav.payouts") }}
      tools={
        hasRight(merchant.role, "payouts.create") ? (
          <a className="button main" href={to("batches", "new")} data-testid="new-batch">
            {t("batch.new")}
          </a>
        ) : null
      }
    >
      {batches.length === 0 ? (
        <Empty title={t("batch.none")}>
          <p>{t("batch.noneText")}</p>
        </Empty>
      ) : (
        <Card>
          <Table
            caption={t("batch.byFile")}
            rows={batches}
            keyOf={({ batch_id }) => batch_id}
            columns={[
              {
                title: t("batch.name"),
                cell: ({ batch_id, name }) => <a href={to("batches", batch_id)}>{name}</a>,
              },
              { title: t("list.status"), cell: ({ state }) => <Badge status={state} /> },
              { title: t("batch.lines"), cell: ({ lines }) => f.number(lines), number: true },
              { title: t("batch.by"), cell: ({ created_by }) => created_by },
              { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
        </Card>
      )}
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: ({ read, apiPath }) => read(apiPath("payouts", "batches"), batchListResponseSchema),
});
