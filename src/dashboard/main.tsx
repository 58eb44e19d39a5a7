import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadContract, loadContractOnInput } from './api/call.ts'
import { watchNetwork } from './api/connection.ts'
import { watchPageFiles } from './api/page-files.ts'
import { signInFromUrl, signOuts } from './api/session.ts'
import { doubtSession, sessionChanges } from './api/shown-session.ts'
import { forgetUser } from './queries/account.ts'
import { startPolling } from './queries/start-polling.ts'
import { shareResponses } from './queries/recordings/share-responses.ts'
import { loadPreferences } from './format/preferences.ts'
import { queryClient, router } from './router.ts'
import { signOut } from './shell/use-sign-out.ts'
import { openPopoversAfterPaint } from './ui/controls/next-paint.ts'
import { settleWhenPageIsLeft } from './ui/feedback/send-action.ts'

loadPreferences()
showTitlesOnFocus()
openPopoversAfterPaint()
void signInFromUrl()
sessionChanges.listen(doubtSession)
watchPageFiles()
settleWhenPageIsLeft()
watchNetwork()
loadPageEarly()
startPolling(queryClient)
shareResponses(queryClient)
signOuts.listen(() => {
  const needsSession = router.state.matches.some(({ routeId }) => routeId === '/_app')
  if (needsSession) void signOut(router, queryClient, { everywhere: false })
})
// Opening a sign-in URL in a tab that shows the dashboard changes only the fragment and loads no page.
addEventListener('hashchange', () => {
  const enter = (isOther: boolean) => {
    if (!isOther) return
    forgetUser(queryClient)
    void router.invalidate()
  }
  // The page that is loaded again reports the error.
  void signInFromUrl().then(enter, () => enter(true))
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

/** Loads the page's code, the player's frame and the contract while the session is checked. The pages whose calls are early endpoints need the contract only later. */
function loadPageEarly(): void {
  const [routes] = router.getMatchedRoutes(location.pathname)
  const ids = routes.map(({ id }) => id)
  const opensWithoutContract = ids.includes('/_app/exports/') || ids.includes('/_app/recordings/$id')
  if (ids.includes('/_app') && !opensWithoutContract) loadContract()
  else loadContractOnInput()
  // The navigation reports what fails.
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined)
  if (ids.includes('/_app/recordings/$id'))
    import('./recordings/player/early-frame.ts')
      .then(({ loadFrameEarly }) => loadFrameEarly())
      .catch(() => undefined)
}

/** Shows the title of a focused element whose text is cut; browsers show titles only to the pointer. */
function showTitlesOnFocus(): void {
  const tip = document.createElement('div')
  tip.popover = 'manual'
  tip.ariaHidden = 'true'
  tip.className = 'anchored-tip max-w-96 rounded-md bg-ink px-2 py-1 text-xs text-bg wrap-anywhere'
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.title === '' || !target.matches(':focus-visible')) return
    if (target.scrollWidth <= target.clientWidth) return
    tip.textContent = target.title
    document.body.append(tip)
    tip.showPopover({ source: target })
  })
  addEventListener('focusout', () => tip.remove())
}
