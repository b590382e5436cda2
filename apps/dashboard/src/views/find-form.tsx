import type { ReactNode } from "react";
import { usePage } from "./use-page";

/** One field that finds rows of a list; the address holds it. */
export function FindForm({ name, label }: { name: string; label: string }): ReactNode {
  const { page, t } = usePage();
  const [path = "", query] = page.path.split("?");
  return (
    <form className="filters" method="get" action={path}>
      <label>
        <span>{label}</span>
        <input
          type="search"
          name={name}
          defaultValue={new URLSearchParams(query).get(name) ?? ""}
          autoComplete="off"
        />
      </label>
      <button type="submit" className="button quiet">
        {t("filter.apply")}
      </button>
    </form>
  );
}
