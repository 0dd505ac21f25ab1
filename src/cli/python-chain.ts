/** What both `sitecustomize.py` of docdouble share: another one still runs, and a module is patched when the program imports it. */
export const PYTHON_CHAIN = `
def _own():
    """The next sitecustomize on the path still runs."""
    here = os.path.dirname(os.path.abspath(__file__))
    folders = [os.path.abspath(one or ".") for one in sys.path]
    rest = sys.path[folders.index(here) + 1 :] if here in folders else sys.path
    found = importlib.machinery.PathFinder.find_spec("sitecustomize", rest)
    if found is not None and found.loader is not None:
        from importlib.util import module_from_spec

        module = module_from_spec(found)
        found.loader.exec_module(module)


def _later(module, patch):
    """Patches a module when the program imports it, so that starting stays quick."""
    if module in sys.modules:
        return patch()

    class Finder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name != module:
                return None
            sys.meta_path.remove(Finder)
            spec = importlib.machinery.PathFinder.find_spec(name, path)
            if spec is None or spec.loader is None:
                return None
            run = spec.loader.exec_module

            def exec_module(loaded):
                run(loaded)
                sys.modules.setdefault(name, loaded)
                patch()

            spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder)
`;
