import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createGlobalStyle, css, keyframes, styled } from 'styled-components'

const GlobalStyle = createGlobalStyle`body { margin: 24px; font: 18px sans-serif; background: #f4f1ea }`
const arrive = keyframes`from { opacity: 0 }`
const Card = styled.section`
  padding: 24px;
  border: 2px solid teal;
  background: white;
  & > h2 {
    margin: 0 0 12px;
    color: teal;
  }
`
const Button = styled.button`
  padding: 8px 20px;
  border: 0;
  background: ${({ $isPrimary }) => ($isPrimary ? 'teal' : '#ddd')};
  ${({ $isPrimary }) =>
    $isPrimary &&
    css`
      color: white;
    `}
  &:hover {
    filter: brightness(1.2);
  }
`
const Menu = styled.ul`
  width: 200px;
  padding: 12px 32px;
  background: gold;
  animation: ${arrive} 0.1s both;
`

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card>
      <GlobalStyle />
      <h2>Lamps</h2>
      <input aria-label="Name" /> <Button>Not now</Button>{' '}
      <Button $isPrimary onClick={() => setOpen(true)}>
        Order
      </Button>
      {isOpen && (
        <Menu>
          <li>Brass</li>
          <li>Linen</li>
        </Menu>
      )}
    </Card>
  )
}

createRoot(document.querySelector('#root')).render(<Page />)
