import type { ConsoleCredential } from "@tillgate/contract";
import type { ReactNode } from "react";
import { usePage } from "./use-page";

type Props = { filters: Readonly<Record<string, string>>; credentials: readonly ConsoleCredential[] };

export function RequestFilters({ filters, credentials }: Props): ReactNode {
  const { page, t } = usePage();
  const path = page.path.split("?")[0] ?? "";
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <label>
      <span>{label}</span>
      <select name={name} defaultValue={filters[name] ?? ""}>
        <option value="">{t("list.allFeminine")}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  const input = (name: "path" | "request_id" | "about") => (
    <label>
      <span>{t(`requests.filter.${name}`)}</span>
      <input name={name} defaultValue={filters[name]} autoComplete="off" />
    </label>
  );
  return (
    <div className="list-tools">
      <form className="filters" method="get" action={path} data-testid="filters">
        {input("path")}
        {select("status", t("list.status"), [
          ["2xx", t("requests.status.2xx")],
          ["4xx", t("requests.status.4xx")],
          ["5xx", t("requests.status.5xx")],
        ])}
        {select("method", t("requests.filter.method"), [
          ["GET", "GET"],
          ["POST", "POST"],
        ])}
        <details className="more" open={["credential", "request_id", "about"].some((name) => filters[name])}>
          <summary>{t("filter.more")}</summary>
          <div className="filters">
            {select(
              "credential",
              t("requests.filter.credential"),
              credentials.map(({ credential_id, name, kind, client_id }) => [
                credential_id,
                `${name ?? t(`credentials.${kind}`)} ${client_id ?? credential_id.slice(0, 8)}`,
              ]),
            )}
            {input("request_id")}
            {input("about")}
          </div>
        </details>
        <button type="submit" className="button quiet">
          {t("filter.apply")}
        </button>
        {Object.keys(filters).length > 0 ? <a href={path}>{t("filter.clear")}</a> : null}
      </form>
    </div>
  );
}
