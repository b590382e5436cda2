import { modeSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { joinPath } from "#paths.ts";
import type { TextKey } from "#texts/texts.ts";
import { Frame, type FrameProps } from "./frame";
import { usePage } from "./use-page";

/** Sections of administration, most frequently used first. */
const SECTIONS = [
  ["health", "/admin"],
  ["approvals", "/admin/approvals"],
  ["merchants", "/admin/merchants"],
  ["shoppers", "/admin/shoppers"],
  ["funds", "/admin/funds"],
  ["limits", "/admin/limits"],
  ["fees", "/admin/fees"],
  ["rates", "/admin/rates"],
  ["currencies", "/admin/currencies"],
  ["administrators", "/admin/administrators"],
  ["audit", "/admin/audit"],
] as const;

export function AdminFrame(props: Omit<FrameProps, "sections">): ReactNode {
  const { page, t } = usePage();
  const path = page.path.split("?")[0] ?? "";
  return (
    <Frame
      {...props}
      sections={SECTIONS.map(([name, href]) => {
        const key: TextKey = `admin.nav.${name}`;
        const current = href === "/admin" ? path === href : path === href || path.startsWith(`${href}/`);
        return { name, href, text: t(key), current };
      })}
    />
  );
}

export function ModeTabs({ section, mode }: { section: string; mode: string }): ReactNode {
  const { t } = usePage();
  return (
    <nav className="modes" aria-label={t("frame.mode")}>
      {modeSchema.options.map((tab) => (
        <a
          key={tab}
          href={joinPath("admin", section, tab)}
          aria-current={tab === mode ? "page" : undefined}
          data-mode={tab}
        >
          {t(`mode.${tab}`)}
        </a>
      ))}
    </nav>
  );
}

/** Renders a search form. The search text is in the URL. */
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
