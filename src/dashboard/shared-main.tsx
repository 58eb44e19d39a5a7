import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { highlightLengths } from './recordings/player/highlight-lengths.ts'
import { SharedPage } from './recordings/sharing/shared-page.tsx'
import { Toaster } from './ui/feedback/toaster.tsx'
import { loadPreferences } from './format/preferences.ts'

/* The page of a shared recording or collection. It is small, because anyone may open it on any device: it has neither router nor queries. */

loadPreferences()

const [, kind, token = ''] = location.pathname.split('/')
const search = new URLSearchParams(location.search)
const at = Number(search.get('t') ?? 0)
const highlights = highlightLengths.find((seconds) => String(seconds) === search.get('highlights'))
// React sets the title of each state.
document.querySelector('title')?.remove()
const root = document.getElementById('root')
if (!root) throw new Error('shared.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <SharedPage
      token={decodeURIComponent(token)}
      place={{
        at: at > 0 ? at : undefined,
        highlights,
        // Links that were copied from earlier versions have the parameter `visit`.
        recording: search.get('recording') ?? search.get('visit') ?? undefined,
        isEmbedded: kind === 'embedded',
      }}
    />
    <Toaster />
  </StrictMode>,
)
