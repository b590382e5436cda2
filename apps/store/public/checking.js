// Reloads the page after a pause to check the payment again, without adding to the browser's history.
const line = document.getElementById("checking");
const pauseMs = 2000;
if (line) setTimeout(() => location.replace(line.dataset.next), pauseMs);
