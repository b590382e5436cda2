import type { ConsoleStatementEntry } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Button, ConfirmedForm, SecondFactorField } from "./form";
import { type Column, Money, Time } from "./parts";
import { usePage } from "./use-page";

export function useMovementColumns(
  renderEntry: Column<ConsoleStatementEntry>["cell"],
): Column<ConsoleStatementEntry>[] {
  const { t } = usePage();
  return [
    { title: t("statement.what"), cell: renderEntry, words: true },
    {
      title: t("order.reference"),
      cell: ({ reference, order_reference }) => reference ?? order_reference ?? "–",
    },
    { title: t("list.created"), cell: ({ at }) => <Time at={at} /> },
    { title: t("list.amount"), cell: ({ money }) => <Money money={money} sign />, number: true },
    { title: t("statement.balance"), cell: ({ balance }) => <Money money={balance} />, number: true },
  ];
}

/** Renders the form that downloads a wallet's statement. `children` are the fields for the statement's first and last day. */
export function StatementDownloads({
  path,
  children,
}: {
  /** Path of the wallet's page. */
  path: string;
  children: ReactNode;
}): ReactNode {
  const { t } = usePage();
  return (
    <form className="filters list-tools" method="get" action={`${path}/statement.csv`}>
      {children}
      {(["comma", "semicolon"] as const).map((dialect) => (
        <button
          key={dialect}
          type="submit"
          className="button quiet"
          name="dialect"
          value={dialect}
          data-testid={dialect === "comma" ? "statement-csv" : undefined}
        >
          {t("statement.csv", { dialect: t(`export.${dialect}`) })}
        </button>
      ))}
      <button
        type="submit"
        className="button quiet"
        formAction={`${path}/statement.xml`}
        data-testid="statement-camt053"
      >
        {t("statement.camt053")}
      </button>
    </form>
  );
}

/** Renders the form that closes an empty wallet or reopens a closed one. @param props.of the wallet's currency; on a merchant's page, preceded by the mode */
export function WalletChange({ of, closed }: { of: string; closed: boolean }): ReactNode {
  const { t } = usePage();
  return (
    <ConfirmedForm label={t("list.change")} action="wallet-state" of={of}>
      <p>{t(closed ? "admin.wallet.openText" : "admin.wallet.closeText")}</p>
      <SecondFactorField />
      <Button kind={closed ? "main" : "danger"} name="open" value={String(closed)}>
        {t(closed ? "admin.wallet.open" : "admin.wallet.close")}
      </Button>
    </ConfirmedForm>
  );
}
