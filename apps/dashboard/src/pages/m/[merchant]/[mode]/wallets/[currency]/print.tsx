import { consolePeriodResponseSchema, MAX_PERIOD_ENTRIES } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { ApiError } from "#internal-api.ts";
import { consolePage } from "#server/console-page.ts";
import { zoneText } from "#texts/formats.ts";
import { textOfCase } from "#texts/texts.ts";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Facts, Money, Table } from "#views/parts.tsx";
import { findHeldCurrency } from "#views/reports.tsx";
import { useMerchantPage } from "#views/use-page.tsx";
import { useMovementColumns } from "#views/wallets.tsx";

export const config = { unstable_runtimeJS: false };

type Period = z.infer<typeof consolePeriodResponseSchema>["data"];
/** A period, or the filters that make it invalid. `wallet` is the wallet's name in reports. */
type Props = { wallet: string; from: string; to: string } & (
  | { period: Period }
  | { period: null; invalidFilters: string[] }
);

export default function PrintedStatementPage({ wallet, from, to, ...rest }: Props): ReactNode {
  const { t, to: pathTo } = useMerchantPage();
  const heldCurrency = findHeldCurrency(wallet);
  const title =
    heldCurrency === null
      ? t("statement.title", { currency: wallet })
      : t("statement.titleHeld", { currency: heldCurrency });
  const basePath = pathTo("wallets", wallet);
  const days = { from, to };
  return (
    <Frame
      title={title}
      back={
        heldCurrency === null
          ? { href: basePath, text: t("wallets.statement") }
          : { href: `${pathTo("reports")}?${new URLSearchParams({ wallet })}`, text: t("nav.reports") }
      }
      tools={
        <button type="button" className="button main with-script" data-print="">
          {t("statement.print")}
        </button>
      }
    >
      <form className="filters list-tools" method="get" action={`${basePath}/print`} data-testid="period">
        {(["from", "to"] as const).map((name) => (
          <label key={name}>
            <span>{t(`filter.${name}`)}</span>
            <input type="date" name={name} defaultValue={days[name]} />
          </label>
        ))}
        <button type="submit" className="button quiet">
          {t("filter.apply")}
        </button>
      </form>
      {rest.period === null ? (
        <p className="box bad" role="alert">
          {rest.invalidFilters.length === 0
            ? t("apiError.too_many_exports")
            : t("filter.invalid", {
                names: rest.invalidFilters.map((field) => textOfCase(t, "filterName", field)).join(", "),
              })}
        </p>
      ) : (
        <PeriodCard title={title} from={from} to={to} period={rest.period} />
      )}
    </Frame>
  );
}

type PeriodProps = { title: string; from: string; to: string; period: Period };

function PeriodCard({ title, from, to, period }: PeriodProps): ReactNode {
  const { page, t, f, merchant } = useMerchantPage();
  const columns = useMovementColumns(({ kind }) => textOfCase(t, "movement", kind));
  const { opening, closing, items, total } = period;
  return (
    <div className="statement">
      <Card>
        <Facts
          rows={[
            [t("statement.merchant"), merchant.name],
            [t("frame.mode"), t(`mode.${merchant.mode}`)],
            [
              t("statement.days", { zone: zoneText(page.timeZone) }),
              from || to ? `${from || "…"} – ${to || "…"}` : t("statement.allDays"),
            ],
            [t("statement.opening"), <Money key="opening" money={opening} />],
            [t("statement.closing"), <Money key="closing" money={closing} />],
            [t("statement.movements"), f.number(total)],
          ]}
        />
      </Card>
      {total > MAX_PERIOD_ENTRIES ? (
        <p className="box note">{t("statement.tooLong", { most: MAX_PERIOD_ENTRIES })}</p>
      ) : items.length === 0 ? (
        <Empty title={t("statement.noneInPeriod")} />
      ) : (
        <Card>
          <Table caption={title} rows={items} keyOf={({ entry_id }) => entry_id} columns={columns} />
        </Card>
      )}
    </div>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part, query }) => {
    const wallet = part("currency");
    const [from = "", to = ""] = [query("from"), query("to")];
    try {
      const path = apiPath("wallets", wallet, "statement", "period");
      return {
        wallet,
        from,
        to,
        period: await read(path, consolePeriodResponseSchema, { from, to }),
      };
    } catch (error) {
      const isBusy = error instanceof ApiError && error.code === "too_many_exports";
      if (!(error instanceof ApiError) || !(isBusy || Object.keys(error.fields).length > 0)) throw error;
      return { wallet, from, to, period: null, invalidFilters: Object.keys(error.fields) };
    }
  },
});
