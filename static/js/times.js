// Times in the reader's own zone, as the reader's browser writes them.

/** Write the times in an element that are not yet so: the clock alone where the day stands beside it. */
export function showTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]:not([title])")) {
    const isDay = !time.dateTime.includes("T");
    const moment = new Date(isDay ? `${time.dateTime}T00:00` : time.dateTime);
    time.textContent = isDay ? moment.toLocaleDateString([], { dateStyle: "medium" }) : told(moment, time.dataset);
    time.title = isDay ? moment.toLocaleDateString([], { dateStyle: "full" }) : inWords(moment, "full");
  }
}

function told(moment, { clock, month }) {
  if (month) return shownDay(moment, month);
  return clock === undefined ? shownTime(moment) : inWords(moment);
}

/** A day of this year without the year. */
function shownDay(moment, month) {
  const year = moment.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return moment.toLocaleDateString([], { day: "numeric", month, year });
}

/** Of today the time alone. */
export function shownTime(moment) {
  const isToday = moment.toDateString() === new Date().toDateString();
  return inWords(moment, isToday ? undefined : "medium");
}

const inWords = (moment, dateStyle) => moment.toLocaleString([], { dateStyle, timeStyle: "short" });
