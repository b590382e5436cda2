import {
  type ConsolePayout,
  consolePayoutListAnswerSchema,
  hasRight,
  payoutStatusSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "../../../../../page/console-page";
import { type ListProps, loadList } from "../../../../../page/load-list";
import { placePath } from "../../../../../place-path";
import { ListPage } from "../../../../../views/list-page";
import { Badge, Money, Time } from "../../../../../views/parts";
import { usePage } from "../../../../../views/use-page";

export const config = { unstable_runtimeJS: false };

export default function PayoutsPage(props: ListProps<ConsolePayout>): ReactNode {
  const { page, t } = usePage();
  const { place } = page;
  if (place === null) return null;
  const to = (...parts: string[]) => placePath(place.merchantId, place.mode, ...parts);
  return (
    <ListPage
      {...props}
      name="payouts"
      statuses={payoutStatusSchema.options}
      keyOf={({ payout_id }) => payout_id}
      tools={
        <>
          <a className="button quiet" href={to("payouts", "batches")} data-testid="batches">
            {t("batch.byFile")}
          </a>
          {hasRight(place.role, "payouts.create") ? (
            <a className="button main" href={to("payouts", "new")} data-testid="new-payout">
              {t("payout.new")}
            </a>
          ) : null}
        </>
      }
      columns={[
        {
          title: t("order.reference"),
          cell: ({ payout_id, reference }) => <a href={to("payouts", payout_id)}>{reference}</a>,
        },
        { title: t("payout.total"), cell: ({ total }) => <Money money={total} />, number: true },
        { title: t("payout.received"), cell: ({ received }) => <Money money={received} />, number: true },
        { title: t("list.status"), cell: ({ status }) => <Badge status={status} /> },
        { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  );
}

export const getServerSideProps = consolePage<ListProps<ConsolePayout>>({
  load: (request) => loadList(request, "payouts", consolePayoutListAnswerSchema),
});
