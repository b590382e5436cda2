import type { ConsoleStatementEntry } from "@tillgate/contract";
import { type Column, Money, Time } from "./parts";
import { usePage } from "./use-page";

/** The columns of a wallet's statement; what moved is the first. */
export function useMovementColumns(
  what: Column<ConsoleStatementEntry>["cell"],
): Column<ConsoleStatementEntry>[] {
  const { t } = usePage();
  return [
    { title: t("statement.what"), cell: what },
    {
      title: t("order.reference"),
      cell: ({ reference, order_reference }) => reference ?? order_reference ?? "–",
    },
    { title: t("list.created"), cell: ({ at }) => <Time at={at} /> },
    { title: t("list.amount"), cell: ({ money }) => <Money money={money} sign />, number: true },
    { title: t("statement.balance"), cell: ({ balance }) => <Money money={balance} />, number: true },
  ];
}
