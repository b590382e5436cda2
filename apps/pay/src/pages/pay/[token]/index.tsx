import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { readPageLocale } from "#http/page-locale.ts";
import { showOrder } from "#steps/show-order.ts";
import type { ScreenProps } from "#views/screen.ts";
import { ScreenView } from "#views/screen-view.tsx";

export const config = { unstable_runtimeJS: false };

export default function PayPage(props: ScreenProps): ReactNode {
  return <ScreenView {...props} />;
}

export const getServerSideProps: GetServerSideProps<ScreenProps> = async (context) => {
  const screen = await showOrder(context);
  const order = screen.kind === "order" ? screen.view.order.locale : null;
  const { req, res, resolvedUrl: address } = context;
  return { props: { screen, ...readPageLocale({ req, res, address }, settings(), order) } };
};
