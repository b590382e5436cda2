import {
  type ConsoleCredential,
  type ConsoleRequest,
  consoleCredentialListResponseSchema,
  consoleRequestListResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { ApiError } from "#internal-api.ts";
import { consolePage } from "#server/console-page.ts";
import { textOfCase } from "#texts/texts.ts";
import { DeveloperTabs, StatusCode } from "#views/developers.tsx";
import { LiveTools } from "#views/following.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Pages, Table, Time } from "#views/parts.tsx";
import { RequestFilters } from "#views/request-filters.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = {
  items: ConsoleRequest[];
  next: string | null;
  partial: boolean;
  filters: Record<string, string>;
  invalidFilters: string[];
  credentials: ConsoleCredential[];
};

export default function RequestsPage(props: Props): ReactNode {
  const { t, f, to } = useMerchantPage();
  const { items, next, partial, filters, invalidFilters, credentials } = props;
  return (
    <Frame
      title={t("requests.title")}
      tools={
        <>
          {filters.before === undefined ? <LiveTools /> : null}
          <DeveloperTabs current="requests" />
        </>
      }
    >
      <RequestFilters filters={filters} credentials={credentials} />
      {invalidFilters.length > 0 ? (
        <p className="box bad" role="alert">
          {t("filter.invalid", {
            names: invalidFilters.map((name) => textOfCase(t, "requests.filter", name)).join(", "),
          })}
        </p>
      ) : null}
      <div data-live="">
        {items.length === 0 ? (
          <Empty
            title={t(
              partial
                ? "list.noneSoFar"
                : Object.keys(filters).length > 0
                  ? "list.noneFound"
                  : "requests.none",
            )}
          >
            <p>{t("requests.noneText")}</p>
          </Empty>
        ) : (
          <Card>
            <Table
              caption={t("requests.title")}
              rows={items}
              keyOf={({ entry_id }) => entry_id}
              columns={[
                {
                  title: t("requests.call"),
                  cell: ({ entry_id, method, path, dropped }) =>
                    dropped > 0 ? (
                      <span className="soft">{t("requests.gap", { count: dropped })}</span>
                    ) : (
                      <a href={to("developers", "requests", entry_id)}>
                        {method} {path}
                      </a>
                    ),
                },
                {
                  title: t("list.status"),
                  cell: ({ status, error_code }) => <StatusCode status={status} code={error_code} />,
                },
                { title: t("requests.at"), cell: ({ at }) => <Time at={at} exact /> },
                {
                  title: t("requests.duration"),
                  cell: ({ duration_ms }) => (duration_ms === null ? "–" : `${f.number(duration_ms)} ms`),
                  number: true,
                },
                {
                  title: t("requests.from"),
                  cell: ({ client_address }) => client_address ?? "–",
                  words: true,
                },
              ]}
            />
          </Card>
        )}
      </div>
      {partial ? <p className="box note">{t("list.partial")}</p> : null}
      <Pages next={next} />
      <p className="soft">{t("requests.retention")}</p>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, queries }) => {
    const entered = Object.entries(queries()).map(([name, value]) => [name, value.trim()] as const);
    const filters = Object.fromEntries(entered.filter(([, value]) => value !== ""));
    const [list, { credentials }] = await Promise.all([
      read(apiPath("requests"), consoleRequestListResponseSchema, filters).catch((error: unknown) => {
        if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) throw error;
        return { items: [], next: null, partial: false, invalidFilters: Object.keys(error.fields) };
      }),
      read(apiPath("credentials"), consoleCredentialListResponseSchema),
    ]);
    return { invalidFilters: [], ...list, filters, credentials };
  },
});
