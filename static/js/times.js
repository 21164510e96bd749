// Times in the reader's own zone, as the reader's browser writes them.

/** Write the times in an element that are not yet so: the clock alone where the day stands beside it. */
export function showTimes(root) {
  for (const time of root.querySelectorAll('time[datetime*="T"]:not([title])')) {
    const moment = new Date(time.dateTime);
    const { clock, day } = time.dataset;
    if (day === undefined) time.textContent = clock === undefined ? shownTime(moment) : written(moment);
    time.title = written(moment, "full");
  }
}

/** Of today the time alone. */
export function shownTime(moment) {
  const isToday = moment.toDateString() === new Date().toDateString();
  return written(moment, isToday ? undefined : "medium");
}

const written = (moment, dateStyle) => moment.toLocaleString([], { dateStyle, timeStyle: "short" });
