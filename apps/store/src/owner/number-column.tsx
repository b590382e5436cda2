import type { ReactElement } from "react";

/** Renders the heading of a numeric column. */
export const NumberColumn = ({ name }: { name: string }): ReactElement => (
  <th scope="col" className="number">
    {name}
  </th>
);
