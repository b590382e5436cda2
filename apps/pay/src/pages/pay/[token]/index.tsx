import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { spokenBy } from "#http/page-locale.ts";
import { showOrder } from "#steps/show-order.ts";
import type { Shown } from "#views/screen.ts";
import { ScreenView } from "#views/screen-view.tsx";

export const config = { unstable_runtimeJS: false };

/** The hosted page of one order. */
export default function PayPage(shown: Shown): ReactNode {
  return <ScreenView {...shown} />;
}

export const getServerSideProps: GetServerSideProps<Shown> = async (context) => {
  const screen = await showOrder(context);
  const order = screen.kind === "order" ? screen.view.order.locale : null;
  const { req, res, resolvedUrl: address } = context;
  return { props: { screen, ...spokenBy({ req, res, address }, settings(), order) } };
};
