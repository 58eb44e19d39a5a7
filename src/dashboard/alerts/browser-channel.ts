import { notificationOf, type News } from './news.ts'

const onKey = 'spool.browser-alerts'
const shownKey = 'spool.browser-alerts-shown'
/** Notifications remembered, so that the tabs of a browser do not repeat them. */
const shownMax = 200

/** Notifications of this browser while a tab is open. The choice is kept in this browser, for each project. */
export const browserChannel = {
  isOn: (projectId: string) =>
    'Notification' in globalThis &&
    Notification.permission === 'granted' &&
    readList(onKey).includes(projectId),

  /** Why this browser cannot show notifications; null if it can, or may be allowed to. */
  blocked: (): string | null => {
    if (!('Notification' in globalThis))
      return 'Notifications need https or localhost, and a browser that supports them.'
    if (Notification.permission !== 'denied') return null
    return 'This browser blocks notifications from Spool: allow them in the settings of this site.'
  },

  set: (projectId: string, on: boolean) => {
    const others = readList(onKey).filter((id) => id !== projectId)
    writeList(onKey, on ? [...others, projectId] : others)
  },

  /** Shows each transition once, whichever tab is first. */
  notify: async (projectId: string, news: readonly News[]) => {
    if (!browserChannel.isOn(projectId)) return
    // Notifications need https or localhost, as locks do.
    await navigator.locks.request(shownKey, () => {
      const shown = readList(shownKey)
      const fresh = news.filter((one) => !shown.includes(nameOf(one)))
      writeList(shownKey, [...shown, ...fresh.map(nameOf)].slice(-shownMax))
      for (const one of fresh) show(notificationOf(one), `/settings/alerts?incident=${one.incident.id}`)
    })
  },

  test: () =>
    show({ title: 'Test: alerts from Spool', body: 'This browser shows alerts while a tab is open.' }, null),
}

function nameOf({ incident, transition, at }: News): string {
  return `${incident.id} ${transition} ${at}`
}

function show({ title, body }: { title: string; body: string }, path: string | null): void {
  const notification = new Notification(title, { body, icon: '/favicon.svg' })
  notification.addEventListener('click', () => {
    window.focus()
    if (path !== null) location.assign(path)
    notification.close()
  })
}

function readList(key: string): string[] {
  return (localStorage.getItem(key) ?? '').split('\n').filter(Boolean)
}

function writeList(key: string, list: readonly string[]): void {
  localStorage.setItem(key, list.join('\n'))
}
