import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'

export const Route = createFileRoute('/login')({
  validateSearch: z.object({
    then: z.string().optional().catch(undefined),
    refused: z.boolean().optional().catch(undefined),
  }),
  component: LoginPage,
})

function LoginPage() {
  return <main>Sign in</main>
}
