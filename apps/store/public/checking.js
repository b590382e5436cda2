// Checks again after a pause, without adding to the browser's history.
const line = document.getElementById("checking");
const pauseMs = 2000;
if (line) setTimeout(() => location.replace(line.dataset.next), pauseMs);
