package derived

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Package is a package with its syntax and types, without its tests.
type Package struct {
	Path, Dir string
	fset      *token.FileSet
	files     []file
	types     *types.Package
	info      *types.Info
}

type file struct {
	path    string
	text    []byte
	syntax  *ast.File
	imports map[string]string // the local name, by path
}

// listed is what go list prints of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly                 bool
}

// Load reads the package that go list finds for the pattern in dir. There must be one.
func Load(dir, pattern string) (*Package, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,DepOnly", pattern)
	cmd.Dir = dir
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w: %s", pattern, err, bytes.TrimSpace(complaint.Bytes()))
	}
	exports := map[string]string{}
	var found []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var one listed
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[one.ImportPath] = one.Export
		if !one.DepOnly {
			found = append(found, one)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s is %d packages, want one", pattern, len(found))
	}
	p := &Package{Path: found[0].ImportPath, Dir: found[0].Dir, fset: token.NewFileSet()}
	return p, p.check(found[0].GoFiles, exports)
}

func (p *Package) check(names []string, exports map[string]string) error {
	var syntax []*ast.File
	for _, name := range names {
		path := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(p.fset, path, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		syntax = append(syntax, parsed)
		p.files = append(p.files, file{path: path, text: text, syntax: parsed})
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Implicits: map[ast.Node]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(p.fset, "gc", open)}
	var err error
	if p.types, err = config.Check(p.Path, p.fset, syntax, p.info); err != nil {
		return err
	}
	for i := range p.files {
		p.files[i].imports = p.importNames(p.files[i].syntax)
	}
	return nil
}

// importNames returns what a file calls the packages that it imports.
func (p *Package) importNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		path := spec.Path.Value[1 : len(spec.Path.Value)-1]
		if spec.Name != nil {
			names[path] = spec.Name.Name
			continue
		}
		if name, ok := p.info.Implicits[spec].(*types.PkgName); ok {
			names[path] = name.Name()
		}
	}
	return names
}
