import type { ReactNode } from "react";
import type { TextKey } from "../texts/texts";
import { Frame, type FrameProps } from "./frame";
import { usePage } from "./use-page";

/** The parts of administration, in the order of how often they are needed. */
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

/** The frame of the administrator's pages: they belong to the house, to no merchant and no mode. */
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
