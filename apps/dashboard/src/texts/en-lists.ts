/** The texts of what every list of orders, refunds and payouts has. */
export const enLists = {
  "columns.choose": "Columns",
  "columns.show": "Show these columns",
  "export.shown": "Export as shown:",
  "export.all": "With all columns:",
  "export.progress": "{rows} of {total} rows …",
  "export.done": "Rows saved: {rows}.",
  "export.broken": "The export broke off. Nothing was saved; please try again.",
  "export.cancelled": "Cancelled. Nothing was saved.",
  "export.busy": "Another export is under way. Please try again in a moment.",
  "export.cancel": "Cancel",
};
